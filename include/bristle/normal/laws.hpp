#pragma once

/// All normal laws, in one explicit list. Adding a law: its header, its include and its name here.

#include "bristle/normal/carvalho_martins.hpp"
#include "bristle/normal/flat_punch.hpp"
#include "bristle/normal/flores.hpp"
#include "bristle/normal/gonthier.hpp"
#include "bristle/normal/gonthier_approximate.hpp"
#include "bristle/normal/herbert_mcwhannell.hpp"
#include "bristle/normal/hertz.hpp"
#include "bristle/normal/hu_guo.hpp"
#include "bristle/normal/hunt_crossley.hpp"
#include "bristle/normal/kelvin_voigt.hpp"
#include "bristle/normal/lankarani_nikravesh.hpp"
#include "bristle/normal/lee_wang.hpp"
#include "bristle/normal/marhefka_orin.hpp"
#include "bristle/normal/zhiying_qishao.hpp"

namespace bristle::normal {

template <template <class> class... Law>
struct LawList {};

using Laws = LawList<Gonthier,             //
                     GonthierApproximate,  //
                     HuntCrossley,         //
                     MarhefkaOrin,         //
                     LankaraniNikravesh,   //
                     Flores,               //
                     HuGuo,                //
                     CarvalhoMartins,      //
                     HerbertMcWhannell,    //
                     LeeWang,              //
                     ZhiyingQishao,        //
                     Hertz,                //
                     FlatPunch,            //
                     KelvinVoigt>;

}  // namespace bristle::normal
